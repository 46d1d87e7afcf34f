"""The steps that read dice of unknown size and colour in any picture."""
