// Parse errors: PGRST100 with the position and what was expected.
import { ANY, refusal, type Scenario } from './scenario.ts';

export const parseErrors: Scenario[] = [
  [
    'GET /items?id=2',
    400,
    refusal(
      'PGRST100',
      '"failed to parse filter (2)" (line 1, column 1)',
      'unexpected "2" expecting "not" or operator (eq, gt, ...)',
    ),
  ],
  [
    'GET /items?id=noop.5',
    400,
    refusal(
      'PGRST100',
      '"failed to parse filter (noop.5)" (line 1, column 1)',
      'unexpected "o" expecting "not" or operator (eq, gt, ...)',
    ),
  ],
  ['GET /items?id=eq', 400, ANY],
  [
    'GET /items?or=)(',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ()()" (line 1, column 3)',
      'unexpected ")" expecting "("',
    ),
  ],
  [
    'GET /items?and=(ord(id.eq.1,id.eq.1),id.eq.2)',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))" (line 1, column 7)',
      'unexpected "d" expecting "("',
    ),
  ],
  [
    'GET /items?or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))" (line 1, column 16)',
      'unexpected "x" expecting logic operator (and, or)',
    ),
  ],
  [
    'GET /items?or=()',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree (())" (line 1, column 4)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ),
  ],
  [
    'GET /items?or=(id.in.1,2,id.eq.3)',
    400,
    refusal(
      'PGRST100',
      '"failed to parse logic tree ((id.in.1,2,id.eq.3))" (line 1, column 10)',
      'unexpected "1" expecting "("',
    ),
  ],
  [
    'GET /items?order=id.asc.nullslasttt',
    400,
    refusal(
      'PGRST100',
      '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
      'unexpected \'t\' expecting "," or end of input',
    ),
  ],
  [
    'GET /items?order=id.asc.nlsfst',
    400,
    refusal(
      'PGRST100',
      '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
      'unexpected "l" expecting "nullsfirst" or "nullslast"',
    ),
  ],
  ...(
    [
      [
        'order=id.ac',
        'order (id.ac)',
        4,
        'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"',
      ],
      [
        'order=id.descc',
        'order (id.descc)',
        8,
        `unexpected 'c' expecting delimiter (.), "," or end of input`,
      ],
      [
        'order=id.nullslasttt',
        'order (id.nullslasttt)',
        13,
        `unexpected 't' expecting "," or end of input`,
      ],
      [
        'order=id.asc.smth34',
        'order (id.asc.smth34)',
        8,
        'unexpected "s" expecting "nullsfirst" or "nullslast"',
      ],
      [
        'order=makers(name,id)',
        'order (makers(name,id))',
        7,
        `unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
      ],
      [
        'select=name::',
        'select parameter (name::)',
        7,
        'unexpected end of input expecting letter or digit',
      ],
      [
        'select=id,makers(name[])',
        'select parameter (id,makers(name[]))',
        15,
        `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
      ],
      [
        'select=price.median()',
        'select parameter (price.median())',
        7,
        'unexpected "m" expecting "sum", "avg", "count", "max" or "min"',
      ],
      [
        'select=id,',
        'select parameter (id,)',
        4,
        'unexpected end of input expecting field name (* or [a..z0..9_$])',
      ],
      ['id=in.1,2', 'filter (in.1,2)', 4, 'unexpected "1" expecting "("'],
      ['id=not.2', 'filter (not.2)', 5, 'unexpected "2" expecting operator (eq, gt, ...)'],
      ['or=(id.eq.1', 'logic tree ((id.eq.1)', 11, 'unexpected end of input expecting "," or ")"'],
    ] satisfies [string, string, number, string][]
  ).map(
    ([query, what, column, details]): Scenario => [
      `GET /items?${query}`,
      400,
      refusal('PGRST100', `"failed to parse ${what}" (line 1, column ${column})`, details),
    ],
  ),
];
