"""What the learner wrote: attempts, drafts, what was revealed, results of tasks, classes joined.

Rule: an answer is acknowledged only after it has been written and read back. Where nothing can
be written, it is kept in memory and that is said. Standard library and platformdirs only.
"""

from attn_lab.record.attempts import CONFIDENCES, Attempt, Draft, Membership, Reveal, TaskResult
from attn_lab.record.location import store_path
from attn_lab.record.store import Store, open_store

__all__ = [
    "CONFIDENCES",
    "Attempt",
    "Draft",
    "Membership",
    "Reveal",
    "Store",
    "TaskResult",
    "open_store",
    "store_path",
]
