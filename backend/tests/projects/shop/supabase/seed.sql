insert into "Quoted Names"."Big Things" ("Id number", "The Name", "a.b", "select", "say ""hi""", mood, "größe") values
  (1, 'whale', 'dotted', 'chosen', 'hello', 'very glad', 1.50),
  (2, 'oak, old', null, null, null, 'so, so', null),
  (3, 'the "big" one', 'x', 'y', 'z', '"quoted"', 7);
insert into "Quoted Names"."Sub Things" ("Id number", "Big Thing", "order") values (1, 1, 2), (2, 1, 1), (3, null, 3);

insert into shop.makers (name, country) values ('Alba', 'IT'), ('Boro', 'CZ'), ('Cado', null);
insert into shop.items (id, maker_id, name, state, code, price, sold, period, sizes, labels, box, boxes, facts, raw, bytes, big,
  ratio, flag, day, made_at, local_at, spell, doc, mark) values
  (1, 1, 'Lamp', 'new', 'LA-1', 12.5, '[1,5)', '[2024-01-01 00:00Z,2024-02-01 00:00Z)', '{1,2,3}', '{red,"a b"}', '(2,3.5)',
    '{"(1,2)","(3,4)"}', '{"a": {"b": [10, {"c": "deep"}]}, "n": null, "k": "v"}', '{"z": 1,  "a": [ ]}', '\xdead', 9007199254740993,
    0.5, true, '2024-01-31', '2024-01-31 10:20:30.123456Z', '2024-01-31 10:20:30', '1 day 02:03', 'bright:1 lamp:2',
    'aaaaaaaa-0000-4000-8000-000000000001'),
  (2, 1, 'Rug, red', 'used', 'RU-2', 8, '[5,9)', null, '{}', '{}', null, null, '{"a": 5, "k": "w"}', null, null, -1,
    '-Infinity', false, 'infinity', '-infinity', null, '-3 mons', 'red:1 rug:2', null),
  (3, 2, 'Chair "X"', 'worn out', null, null, 'empty', null, null, '{c}', null, null, 'null', null, null, null, null, null,
    null, null, null, null, null, null),
  (4, null, 'Vase', 'new', 'VA-4', 3.14, null, null, '{4}', '{red}', null, null, '[1, 2, 3]', null, null, 0, 99, true, null,
    '2024-06-01 00:00:00Z', null, null, null, null);
select setval('shop.items_id_seq', 4);
select setval('"Quoted Names"."Big Things_Id number_seq"', 3);
insert into shop.groups values (1, 'light'), (2, 'soft'), (3, 'empty');
insert into shop.item_groups values (1, 1, 2), (1, 2, 1), (2, 2, 0);
insert into shop.manuals values (1, 40);
insert into shop.staff values (1, 'Ada', null), (2, 'Ben', 1), (3, 'Cyd', 1), (4, 'Dot', 2);
insert into shop.places values (1, 'Harbour'), (2, 'Hill');
insert into shop.trips values (1, 1, 2), (2, 2, 1);
insert into shop.shelves values (1, 1, 'low'), (1, 2, 'high');
insert into shop.spots values (1, 1, 1), (2, 1, 2), (3, null, null);
insert into shop.scraps values ('first', 1), ('second', 2), (null, null);
insert into shop.visits values (1, '2024-05-05', 1), (2, '2025-05-05', 2);
insert into shop.diary values (1, 'aaaaaaaa-0000-4000-8000-00000000000a', 'mine'), (2, 'aaaaaaaa-0000-4000-8000-00000000000b', 'yours');
refresh materialized view shop.makers_kept;
insert into shop.paints values (1, 'black', 0, '2018-01-02 00:00Z', 'soft'), (2, 'moss', 256, null, 'loud'), (3, 'none', null, null, 'soft');
insert into shop.walls values (1, 2);
