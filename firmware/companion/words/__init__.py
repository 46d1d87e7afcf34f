"""Every word that players read or hear: messages without a language, and the catalogues that render them."""

from companion.words.catalogue import Catalogue, CatalogueError
from companion.words.load import Languages, english, language_files, language_names, load_catalogue
from companion.words.message import NOTHING, Message, Text, because, in_form, joined, message

__all__ = [
    "NOTHING",
    "Catalogue",
    "CatalogueError",
    "Languages",
    "Message",
    "Text",
    "because",
    "english",
    "in_form",
    "joined",
    "language_files",
    "language_names",
    "load_catalogue",
    "message",
]
