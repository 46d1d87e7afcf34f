from pegboard.animation import moment
from pegboard.layouts import load_layout
from pegboard.leds.terminal import picture
from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.power import current_ma, within_budget
from pegboard.render import render
from pegboard.track import Hole

layout = load_layout("long-board-2")
lanes = (LaneView(mark(0), back=Hole(7), front=Hole(13)), LaneView(mark(1), back=Hole(31), front=Hole(31)))
frame = within_budget(render(moment(BoardView(lanes, turn=0), 0.0), layout))
print("\n".join(picture(layout, frame, colours=False)))
print(f"{len(frame)} LEDs, {current_ma(frame):.0f} mA")
