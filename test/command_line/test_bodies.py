"""Bodies and contacts as a user meets them: pages, runs, resumed runs, refusals."""

SPHERE = """
name = "ball"
coordinates = ["R in SO(3)", "x", "y", "z"]
gravity = [0, 0, -9.81]
conserves = "energy"
[[body]]
name = "ball"
mass = 2
inertia = 0.8
position = ["x", "y", "z"]
rotation = "R"
[[contact]]
name = "slope"
body = "ball"
kind = "rolling"
shape = { sphere = 1 }
plane = { point = [0, 0, 0], normal = ["sin(0.3)", 0, "cos(0.3)"] }
[integrals]
sideways = "ball.velocity[2]"
spin = "dot(ball.angular_velocity, [sin(0.3), 0, cos(0.3)])"
[initial.rest]
position = { R = "identity", x = "sin(0.3)", y = 0, z = "cos(0.3)" }
velocity = { R = [0, 0, 0], x = 0, y = 0, z = 0 }
"""


def test_the_page_shows_tables_and_what_they_make(program):
    page = program.good("describe", "rolling-coin").stdout
    for words in ("shape = { disk = r }", "kinetic energy: 0.5*(m*", "potential: m*r*g*sin(theta)", "constraint ground_1 (lambda_1): x_dot",
                  "constraint ground_2 (lambda_2)", "energy: kept"):
        assert words in page, page
    page = program.good("describe", "bicycle").stdout
    for words in ("part_1 = ", "holonomic front_tyre_3 (lambda_5)", "constraint rear_tyre_1 (lambda_1)"):
        assert words in page, page
    assert len(page) < 20000


def test_a_ball_rolls_down_a_slope(program):
    program.write("ball.toml", SPHERE)
    run, = program.json("run", "./ball.toml", "--method", "lobatto", "--step", "0.1", "--until", "2", "--out", "ball.h5")["runs"]
    assert run["status"] == "ok"
    # A solid ball has 5/7 of the acceleration of one that slides.
    down = 5 / 7 * 9.81 * 0.29552020666133957 * 2**2 / 2
    x, z = run["final"]["q"][4], run["final"]["q"][6]
    start = run["initial"]["q"]
    assert abs(((x - start[4])**2 + (z - start[6])**2)**0.5 - down) < 1e-11
    for integral in run["diagnostics"]["integrals"].values():
        assert integral["max_error"] < 1e-12
    program.good("resume", "ball.h5", "--until", "3")


def test_a_mistake_is_one_sentence_with_file_and_key(program):
    program.write("ball.toml", SPHERE.replace('body = "ball"', 'body = "bell"'))
    result = program.run("run", "./ball.toml", "--method", "lobatto", "--step", "0.1", "--until", "2")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "ball.toml:14" in result.stderr and 'did you mean "ball"?' in result.stderr, result.stderr


def test_free_values_of_a_start_follow_from_the_constraints(program):
    program.write("study.toml", """
problem = "tilting-disk"
[initial]
free = ["z", "x_dot", "y_dot", "z_dot"]
position = { x = 0, y = 0, psi = 0, theta = 0.3, phi = 0 }
velocity = { psi = 0.4, theta = "theta/3", phi = 2.5 }
[run]
step = 0.1
steps = 2
[[method]]
name = "lobatto"
""")
    run, = program.json("run", "study.toml")["runs"]
    v = run["initial"]["v"]
    assert v[3:] == [0.4, 0.3 / 3, 2.5]
    assert abs(v[0] - (2.5 - 0.4 * 0.29552020666133957)) < 1e-15
    result = program.run("run", "study.toml", "--set", 'initial.free=["z_dt"]')
    assert result.returncode == 2 and 'did you mean' in result.stderr, result.stderr
