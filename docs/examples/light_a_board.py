import sys

from pegboard import Board

with Board("terminal" if sys.stdout.isatty() else "simulated", "long-board-2") as board:
    board.place(0, 7, 13)  # side 0: the back peg in hole 7, the front peg in hole 13
    board.place(1, 31)
    board.turn(0)
    board.show()
    board.place(0, 13)
    board.show()  # the back peg walks to hole 13
    print("a board of", board.layout.leds, "LEDs")
