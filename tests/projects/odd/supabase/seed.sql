insert into "Odd World"."Big Things" ("Id number", "The Name", "a.b", "select", "say ""hi""", mood, "größe") values
  (1, 'whale', 'dotted', 'chosen', 'hello', 'very glad', 1.50),
  (2, 'oak, old', null, null, null, 'so, so', null),
  (3, 'the "big" one', 'x', 'y', 'z', '"quoted"', 7);
insert into "Odd World"."Sub Things" ("Id number", "Big Thing", "order") values (1, 1, 2), (2, 1, 1), (3, null, 3);
