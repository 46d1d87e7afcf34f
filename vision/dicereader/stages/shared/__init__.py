"""The steps that both pipelines, `known` and `unknown`, use."""
