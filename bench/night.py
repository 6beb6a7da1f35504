"""How much a virtual six-hour night costs: `python -m bench.night [OUTLETS]` prints CPU and wall seconds and memory."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from crawl import registry
from crawl.clock import DAY_S, parse_at
from crawl.night import Night
from crawl.policy import Policy
from crawl.store import Store
from tests.sim.campus import Campus
from tests.sim.moods import mixed
from tests.sim.virtual import VirtualClock, VirtualWorkers
from tests.sim.web import Web

MIDNIGHT = parse_at("2026-12-01T00:00")


def main(outlets: int) -> None:
    """Two nights over a campus of the given size, the first with everything new."""
    campus = Campus(3, outlets)
    web = Web(campus, 3, mixed(campus, 3, share=0.2))
    books = registry.parse(campus.registry_files())
    policy = Policy()
    for source in campus.sources:
        source.body(MIDNIGHT)  # the web's own writing is not the night's cost
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as root:
        for night in range(2):
            clock = VirtualClock(MIDNIGHT + night * DAY_S)
            workers = VirtualWorkers(web, clock, policy)
            wall, cpu = time.perf_counter(), time.process_time()
            with closing(Store(Path(root, "data"), Path(root, "state"), books)) as store:
                Night(store, workers, clock, policy, books.exclusions).run()
                store.publish()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            servers = len({access.server for access in web.log})
            print(
                f"night {night + 1}: {len(campus.sources)} sources on {servers} servers, "
                f"{(clock.now() - MIDNIGHT - night * DAY_S) / 60:.1f} virtual minutes: {cpu:.2f} s CPU, {wall:.2f} s wall"
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
