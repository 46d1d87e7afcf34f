"""Scenes as light makes them: dice that Blender's Cycles traces, with labels.

`plan` draws what a scene shows (`scene`) from its seed. `dice`, `die_shape`, `die_paint`, `poses`, `arrange`, `prints`,
`room`, `photograph` and `labels` need no Blender. `nodes`, `die_materials`, `ground_materials`, `lamps`, `solids`,
`things`, `throws` and `render` do. Lengths are centimetres, colours are linear red, green, blue from 0 to 1.
`bench/training/make_scenes.py` is the program, `bench/training/traced_scenes.py` reads what it made.
"""
