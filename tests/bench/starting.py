"""How long `import attn_lab` takes, beyond a Python that imports nothing."""

import statistics
import subprocess
import sys
import time


def import_seconds(repeats: int = 9) -> float:
    """The median difference of pairs that take turns."""
    pairs = [(_run("import attn_lab"), _run("pass")) for _ in range(repeats)]
    return statistics.median(with_it - without for with_it, without in pairs)


def _run(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
