"""Every word that players read or hear: messages without a language, and the catalogues that render them."""

from companion.words.catalogue import Catalogue, CatalogueError
from companion.words.load import english, languages, load_catalogue
from companion.words.message import NOTHING, Message, Text, because, in_form, joined, message

__all__ = [
    "NOTHING",
    "Catalogue",
    "CatalogueError",
    "Message",
    "Text",
    "because",
    "english",
    "in_form",
    "joined",
    "languages",
    "load_catalogue",
    "message",
]
