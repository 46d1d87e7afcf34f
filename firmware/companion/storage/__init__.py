"""What is kept on disk: the journal of acts, its codec, and the data folder."""
