# The program with its library of problems and studies:
#   docker build -t dalembert .
#   docker run --rm -v "$PWD:/data" dalembert run pendulum-cvt --method dla --step 0.1 --until 100 --start rotating --plot energy.svg
FROM debian:12 AS build
WORKDIR /dalembert
COPY tool/install-dependencies tool/
RUN ./tool/install-dependencies
COPY . .
RUN cmake --preset release -DCMAKE_UNITY_BUILD=ON -DCMAKE_INSTALL_PREFIX=/usr/local \
      -DDALEMBERT_BUILD_TESTS=OFF -DDALEMBERT_BUILD_EXAMPLES=OFF -DDALEMBERT_BUILD_BENCH=OFF \
 && cmake --build --preset release \
 && cmake --install build/release --prefix /usr/local --strip

FROM debian:12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gnuplot-nox libfmt9 libhdf5-103-1 libquadmath0 libtomlplusplus3 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/dalembert /usr/local/bin/
COPY --from=build /usr/local/share/dalembert /usr/local/share/dalembert
RUN useradd --create-home dalembert && mkdir /data && chown dalembert /data \
 && dalembert run first-run --out first.h5 >/dev/null && rm first.h5
USER dalembert
WORKDIR /data
ENTRYPOINT ["dalembert"]
CMD ["--help"]
