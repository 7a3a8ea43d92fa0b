// Generates almost valid and invalid requests for the data service.
import fc from 'fast-check';

const column = fc.constantFrom(
  'id',
  'title',
  'year',
  'rating',
  'tags',
  'facts',
  'shown',
  'seen_at',
  'plot',
  'director_id',
  '*',
  'nope',
  'facts->lead->>name',
  'facts->places->0',
  'facts->>-1',
  'title->a',
  '"ti""tle"',
  '"',
  'a b',
  'é',
  'count()',
  'id.sum()',
);
const value = fc.oneof(
  fc.constantFrom(
    '1',
    'null',
    '{}',
    '{1,2}',
    '(1,2)',
    '[1,2)',
    '%',
    '*',
    '""',
    '"\\"',
    '(',
    ')',
    ',',
    '{',
    '(((',
    '\\',
    '99999999999999999999',
    '-1',
    'NaN',
    'infinity',
    "'; drop table films; --",
    '$1',
    '%00',
    '%ff%fe',
    '%F0%9F%9A%80',
    '%c3%28',
  ),
  fc.string({ maxLength: 12, unit: 'binary' }).map(encodeURIComponent),
);
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'in',
  'is',
  'isdistinct',
  'fts',
  'plfts',
  'phfts',
  'wfts',
  'fts(english)',
  'fts(nope)',
  'cs',
  'cd',
  'ov',
  'sl',
  'sr',
  'nxr',
  'nxl',
  'adj',
  'eq(any)',
  'like(all)',
  'eq(',
  'nope',
  '',
);
const condition = fc
  .tuple(fc.constantFrom('', 'not.'), operator, value)
  .map(([not, op, right]) => `${not}${op}.${right}`);
const { tree } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
  leaf: fc.tuple(column, condition).map(([left, right]) => `${left}.${right}`),
  tree: fc.oneof(
    { maxDepth: 6 },
    tie('leaf'),
    fc
      .tuple(
        fc.constantFrom('and', 'or', 'not.and', 'not.or', 'xor', ''),
        fc.array(tie('tree'), { maxLength: 4 }),
      )
      .map(([op, terms]) => `${op}(${terms.join(',')})`),
  ),
}));
const { select } = fc.letrec<{ select: string; item: string }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5 },
    fc
      .tuple(
        fc.constantFrom('', 'x:', 'id:', '"q":'),
        column,
        fc.constantFrom('', '::text', '::int', '::nope', '::text[]', '::'),
      )
      .map(([alias, name, cast]) => `${alias}${name}${cast}`),
    fc
      .tuple(
        fc.constantFrom('', 'a:', '...'),
        fc.constantFrom(
          'directors',
          'roles',
          'actors',
          'films',
          'technical_specs',
          'director_id',
          'nope',
          'messages',
        ),
        fc.constantFrom('', '!inner', '!left', '!films_director_id_fkey', '!nope', '!inner!x', '!'),
        tie('select'),
      )
      .map(([prefix, name, hint, inner]) => `${prefix}${name}${hint}(${inner})`),
  ),
  select: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join(',')),
}));
const order = fc
  .array(
    fc
      .tuple(
        fc.oneof(column, fc.constantFrom('directors(born)', 'roles(character)', 'x(')),
        fc.constantFrom('', '.asc', '.desc', '.nullsfirst', '.desc.nullslast', '.up'),
      )
      .map((parts) => parts.join('')),
    { maxLength: 3 },
  )
  .map((terms) => terms.join(','));
const parameter = fc.oneof(
  fc.tuple(column, condition).map(([left, right]) => `${encodeURIComponent(left)}=${right}`),
  fc
    .tuple(fc.constantFrom('directors', 'roles', 'roles.actors', 'x'), column, condition)
    .map(([at, left, right]) => `${at}.${left}=${right}`),
  fc
    .tuple(fc.constantFrom('and', 'or', 'not.or', 'roles.or', 'x.and'), tree)
    .map(([key, text]) => `${key}=(${text})`),
  select.map((text) => `select=${text}`),
  order.map((text) => `order=${text}`),
  fc
    .tuple(fc.constantFrom('limit', 'offset', 'roles.limit', 'columns', 'on_conflict'), value)
    .map(([key, text]) => `${key}=${text}`),
);
export const query = fc
  .array(parameter, { maxLength: 5 })
  .map((all) =>
    all.join('&').replaceAll(' ', '%20').replaceAll('"', '%22').replaceAll('é', '%C3%A9'),
  );
const prefer = fc
  .array(
    fc.constantFrom(
      'count=exact',
      'count=planned',
      'count=estimated',
      'return=representation',
      'return=headers-only',
      'resolution=merge-duplicates',
      'resolution=ignore-duplicates',
      'missing=default',
      'handling=strict',
      'max-affected=0',
      'timezone=Nope',
      'tx=rollback',
      '=',
      'a=b=c',
    ),
    { maxLength: 4 },
  )
  .map((all) => all.join(', '));
const anyHeader = fc.record(
  {
    prefer,
    accept: fc.constantFrom(
      '*/*',
      'application/json',
      'text/csv',
      'application/vnd.pgrst.object+json',
      'application/vnd.pgrst.array+json;nulls=stripped',
      'image/png',
      ';;',
      'a,b;q=x',
      'application/openapi+json',
    ),
    range: fc.constantFrom('0-1', '5-2', 'x', '99999999999999999999-', '-1', 'items=0-3'),
    'accept-profile': fc.constantFrom('public', 'auth', 'nope', 'é'),
    authorization: fc.constantFrom(
      'Bearer',
      'Bearer a.b.c',
      'Basic x',
      'bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.',
      'Bearer \u00ff',
    ),
  },
  { requiredKeys: [] },
);

/** Most requests are authorized, so that the stages behind it are tested too. */
export const header: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ prefer }) },
  { weight: 1, arbitrary: anyHeader },
);

export const target = fc.constantFrom(
  '/films',
  '/roles',
  '/actors',
  '/recent_films',
  '/nope',
  '/',
  '/rpc/films_of',
  '/rpc/add',
  '/rpc/echo',
  '/rpc/nope',
  '/rpc/either',
  '/rpc/',
  '/%00',
  '/%ff',
  '/films/1',
  '/rpc/film',
);
export const json = fc
  .oneof(
    fc.json({ maxDepth: 4 }),
    fc
      .array(
        fc.record(
          { id: fc.anything(), title: fc.anything(), year: fc.anything(), nope: fc.anything() },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      )
      .map((rows) =>
        JSON.stringify(rows, (_key, cell) => (typeof cell === 'bigint' ? String(cell) : cell)),
      ),
    fc.constantFrom(
      '{"id":"\\u0000"}',
      '{"title":"\\ud800"}',
      '{"id":1e400}',
      `{"facts":${'['.repeat(3000)}${']'.repeat(3000)}}`,
      `${'['.repeat(90000)}`,
      '[[]]',
      '[null]',
      '{"__proto__":1}',
      '{"a":1,"a":2}',
      '"x"',
      '',
      ' ',
    ),
  )
  .map((text) => Buffer.from(text));
export const bytes = fc.uint8Array({ maxLength: 200 }).map((list) => Buffer.from(list));
export const contentType = fc.constantFrom(
  'application/json',
  'text/csv',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'text/xml',
  'application/yaml',
  'nonsense',
  'application/json; charset=utf-16',
);
/** A path of arbitrary visible bytes, as a broken or hostile client may send. */
export const rawPath = fc.string({
  maxLength: 60,
  unit: fc
    .integer({ min: 0x21, max: 0xff })
    .filter((code) => code !== 0x7f && code !== 0x23)
    .map((code) => String.fromCharCode(code)),
});
