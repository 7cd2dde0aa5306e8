"""What is trained: the recall task, the model that learned it, and what is measured on it.

`recall_task` is the task, `recall_model` the network and its shipped weights, `train` makes them,
`interventions` takes parts of the network away, `workbench` measures what that costs, and `links`
what the cells cost that tie a value to its key.
"""
