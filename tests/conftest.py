"""Settings every test shares: hypothesis without deadlines, and the same examples on every run in CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "everywhere",
    deadline=None,  # a shared machine is slow now and then; no test may depend on speed
    derandomize="CI" in os.environ,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("everywhere")
