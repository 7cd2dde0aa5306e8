"""What is trained, and what is measured on it.

The bank head learns in front of the learner: `bank_sentences` has its sentences, `bank_head` the
head and its training loop, `bank_findings` what it gets right and what its answers need, and
`bank_weights` the 20 heads that are shipped.

`sentence_texts` has the two little Englishes of notebooks 07 and 08, `sentence_model` the network
and its shipped weights, `train` makes them, `interventions` takes parts of the network away,
`workbench` measures what that costs, and `links` what the cells cost in which a noun reads its
adjective.
"""
