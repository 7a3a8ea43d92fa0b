import { describe, expect, it } from 'vitest';
import { arrayElements, patternProblem, splitStatements } from './sql-text.ts';

describe('a regular expression', () => {
  it.each([
    '^(ab|cd)+$',
    String.raw`\\1`,
    String.raw`a\.b\d{4}-\d{2}`,
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '{"a": 1}',
    '^(?=.*x)abc',
    'x'.repeat(200),
  ])('%s is allowed', (pattern) => {
    expect(patternProblem(pattern, 200)).toBeUndefined();
  });

  it.each([
    [String.raw`^(.*)(.*)\1\2$`, 'back-references are not allowed'],
    [String.raw`(a)\\\1`, 'back-references are not allowed'],
    [String.raw`(?b)\(.*\)\1`, 'back-references are not allowed'],
    [String.raw`(a)[\]\1`, 'back-references are not allowed'],
    ['((a{1,100}){1,100}){1,100}', 'repetition counts are too large'],
    [String.raw`(?b)\(\(a\{200\}\)\{200\}\)`, 'repetition counts are too large'],
    ['((a{100,}){100,}){5}', 'repetition counts are too large'],
    ['(?=.*(?!.*b))', 'more than one lookahead or lookbehind'],
    ['x'.repeat(201), 'longer than 200 characters'],
  ])('%s is rejected', (pattern, reason) => {
    expect(patternProblem(pattern, 200)).toBe(reason);
  });

  it.each([
    ['{a,b}', ['a', 'b']],
    [String.raw`{"(.*)\\1"," x "}`, [String.raw`(.*)\1`, ' x ']],
    [String.raw`{(.*)\\1}`, [String.raw`(.*)\1`]],
    ['{{a},{"b,c{2}"}}', ['a', 'b,c{2}']],
    ['{"a\\"b"}', ['a"b']],
    ['{}', []],
  ])('is found in the array %s', (literal, elements) => {
    expect(arrayElements(literal)).toEqual(elements);
  });
});

describe('splitting a migration into statements', () => {
  it.each([
    ['two plain statements', 'select 1; select 2;', ['select 1', 'select 2']],
    ['a semicolon in a string', "select 'a;''b'; select 2", ["select 'a;''b'", 'select 2']],
    ['a semicolon in a name', 'select ";"', ['select ";"']],
    [
      'a dollar-quoted body',
      'do $x$ begin; $$;$$ end $x$; select 1',
      ['do $x$ begin; $$;$$ end $x$', 'select 1'],
    ],
    ['a semicolon in a comment', '-- one; two\nselect 1', ['-- one; two\nselect 1']],
    ['nested block comments', '/* a /* ; */ ; */ select 1', ['/* a /* ; */ ; */ select 1']],
    [
      'an atomic body',
      'create function f() returns int begin atomic select 1; select 2; end; select 3',
      ['create function f() returns int begin atomic select 1; select 2; end', 'select 3'],
    ],
    ['only comments', '-- nothing\n/* here */\n', []],
  ])('handles %s', (_, sql, expected) => {
    expect(splitStatements(sql)).toEqual(expected);
  });
});
