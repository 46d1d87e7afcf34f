// Modules that all printed parts share: countersinks, holes for inserts, anchors for cable ties, and flat cuts.
include <measures.scad>

flat = false;         // true: the part's section in its own plane, for DXF and SVG
kerf = 0;             // with flat: the width of the laser's or the saw's cut
flat_z = 1;           // the height of that section

// The part, or its flat section widened by half the cut.
module made() {
  if (flat) widened() projection(cut = true) translate([0, 0, -flat_z]) children();
  else children();
}

module widened() { offset(delta = kerf / 2) children(); }

module plate(wide, deep, corner) { offset(corner) offset(-corner) square([wide, deep], center = true); }

// A countersunk M3 whose head is at z = 0 and points up; print it with the head's side down.
module countersunk(through) {
  translate([0, 0, -1]) cylinder(d = fit_screw, h = through + 2);
  translate([0, 0, -0.01]) cylinder(d1 = fit_head, d2 = fit_screw, h = (fit_head - fit_screw) / 2);
}

// A hole for an insert that is melted in from z = 0 downwards.
module insert() { translate([0, 0, -fit_insert_deep]) cylinder(d = fit_insert, h = fit_insert_deep + 1); }

// A post on the floor for a screw that cuts its own thread.
module post(high, tap, wide = 6) {
  difference() { cylinder(d = wide, h = high); translate([0, 0, 0.6]) cylinder(d = tap, h = high); }
}

// A bridge that a cable tie of up to 4.8 mm goes through; the cable runs along x.
module anchor() {
  translate([-4, -6, 0]) difference() {
    cube([8, 12, 5]);
    translate([1.2, -1, 1.2]) cube([5.6, 14, 2]);
  }
}
