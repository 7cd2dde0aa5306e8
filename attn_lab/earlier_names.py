"""Modules that have moved, under the names that files which were given out still import.

A learner's copy of a notebook is never overwritten, nor is an instructor's jupyterhub_config.py,
so their import lines live as long as they do. Write a moved module here when such a file names it;
the value is the module that holds its names now.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "attn_lab.course.in_tiles": "attn_lab.core.tiles",
    "attn_lab.course.interventions": "attn_lab.models.interventions",
    "attn_lab.course.links": "attn_lab.models.links",
    "attn_lab.course.three_models": "attn_lab.models.workbench",
    "attn_lab.course.workbench": "attn_lab.models.workbench",
    "attn_lab.explore.measuring": "attn_lab.explore.this_machine",
    "attn_lab.labconfig": "attn_lab.commands",
    "attn_lab.labconfig.saving": "attn_lab.commands.save_hook",
    "attn_lab.labconfig.starting": "attn_lab.commands.lab",
    "attn_lab.predict.looking_back": "attn_lab.predict.closing",
    "attn_lab.predict.so_far": "attn_lab.predict.closing",
    "attn_lab.show.numbers": "attn_lab.show.printed_numbers",
}
# module that has moved: what it held under another name
RENAMED = {"attn_lab.course.in_tiles": {"in_tiles": "online_softmax"}}


# what no module holds any more: the model of these files' notebooks has been replaced
GONE = (
    "attn_lab.course.measures",
    "attn_lab.course.recall_task",
    "attn_lab.models.recall_model",
    "attn_lab.models.recall_task",
)
REPLACED = (
    "expected a notebook of today, got a copy that names {name}: its model has been replaced by "
    "one that reads sentences. Run `attn-lab copy` (`make lab` does): it lays the new notebook "
    "beside yours and changes neither your copy nor your answers."
)


class EarlierNames(MetaPathFinder, Loader):
    """A finder of moved modules, which loads one when its earlier name is imported."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in GONE:
            raise ImportError(REPLACED.format(name=fullname), name=fullname)
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        now = import_module(MOVED[module.__name__])
        for earlier, name in RENAMED.get(module.__name__, {}).items():
            setattr(now, earlier, getattr(now, name))
        # The import system hands out what stands here afterwards: one module under both names.
        sys.modules[module.__name__] = now


def keep() -> None:
    """Let the earlier names be imported, in this process, after every other way has failed."""
    if not any(isinstance(finder, EarlierNames) for finder in sys.meta_path):
        sys.meta_path.append(EarlierNames())
