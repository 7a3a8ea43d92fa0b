import { describe, expect, it } from 'vitest';
import { splitStatements } from './split-statements.ts';

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
