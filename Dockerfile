# The program with its library of problems and studies:
#   docker build -t dalembert .
#   docker run --rm -v "$PWD:/data" dalembert run pendulum-cvt --method dla --step 0.1 --until 100 --start rotating --plot energy.svg
FROM debian:13 AS build
WORKDIR /dalembert
COPY tool/install-dependencies tool/
RUN ./tool/install-dependencies --program
COPY . .
RUN cmake --preset program -DCMAKE_INSTALL_PREFIX=/usr/local -DDALEMBERT_BUILD_PYTHON=OFF \
 && cmake --build --preset program \
 && cmake --install build/release --prefix /usr/local --strip

FROM debian:13-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gnuplot-nox libfmt10 libhdf5-310 libquadmath0 libtomlplusplus3t64 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/dalembert /usr/local/bin/dalembert-reproduce /usr/local/bin/
COPY --from=build /usr/local/share/dalembert /usr/local/share/dalembert
RUN useradd --create-home dalembert && mkdir /data && chown dalembert /data \
 && dalembert run first-run --out first.h5 >/dev/null && rm first.h5
USER dalembert
WORKDIR /data
ENTRYPOINT ["dalembert"]
CMD ["--help"]
