"""The reader's steps, one a file: rectify, pips, poses, segment, choose, judge."""
