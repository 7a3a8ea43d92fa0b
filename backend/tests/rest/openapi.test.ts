// The description of the API at the root.
import { beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredRest, configuredRest } from '#tests/support/configured-rest.ts';

const prepared = configuredRest();
let server: ConfiguredRest['server'];
let get: ConfiguredRest['get'];

beforeAll(() => {
  ({ server, get } = prepared());
});

const refs = (...names: string[]) => names.map((name) => ({ $ref: `#/parameters/${name}` }));

describe('the root', () => {
  it('describes what the caller can use', async () => {
    const answer = await get('/');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/openapi+json; charset=utf-8',
    ]);
    expect(answer.headers.get('content-profile')).toBe('public');
    expect(answer.body).toMatchObject({
      swagger: '2.0',
      basePath: '/rest/v1',
      definitions: {
        films: {
          required: ['title'],
          properties: {
            id: {
              type: 'integer',
              format: 'int32',
              description: 'Note:\nThis is a Primary Key.<pk/>',
            },
            rating: { type: 'string', enum: ['G', 'PG', 'R'], default: 'PG' },
            tags: { type: 'array', items: { type: 'string' } },
            director_id: {
              description: `Note:\nThis is a Foreign Key to \`directors.id\`.<fk table='directors' column='id'/>`,
            },
          },
        },
      },
      paths: {
        '/': { get: { tags: ['Introspection'] } },
        '/films': {
          get: { parameters: expect.arrayContaining(refs('rangeUnit', 'preferCount')) },
          post: { parameters: refs('body.films', 'select', 'preferPost') },
          patch: { parameters: expect.arrayContaining(refs('preferReturn')) },
          delete: {},
        },
        '/rpc/add': { get: {}, post: { parameters: [{}, ...refs('preferParams')] } },
      },
      parameters: {
        rangeUnit: { name: 'Range-Unit', in: 'header', default: 'items' },
        preferCount: { name: 'Prefer', in: 'header', enum: ['count=none'] },
        preferPost: { enum: expect.arrayContaining(['resolution=merge-duplicates']) },
      },
    });
    expect(Object.keys((answer.body as { definitions: object }).definitions)).not.toContain(
      'locked',
    );
    const door = await get('/', {
      'accept-profile': 'Second Door',
      accept: 'application/openapi+json',
    });
    expect(door.body).toMatchObject({
      definitions: { 'Odd Table': { description: 'Names nobody should choose' } },
    });
    await server.database.owner.query(`
      create table public.described (
        big bigint, small smallint not null default 42, done boolean default false, price numeric default 1.5,
        label text default 'none', at timestamptz default now(), list int[] default '{}'
      );
      comment on table public.described is E'One line.\\n\\nMore of it.';
      create function public.sum_of(variadic terms int[]) returns bigint language sql immutable
        return (select sum(term) from unnest(terms) as term);
      comment on function public.sum_of is 'Adds up.';
      create function public.chance() returns float language sql return random();
      grant select on public.described to anon;
      notify pgrst, 'reload schema'`);
    await expect.poll(async () => (await get('/described')).status).toBe(200);
    const { body } = await get('/');
    expect(body).toMatchObject({
      definitions: {
        described: {
          description: 'One line.\n\nMore of it.',
          properties: {
            big: { type: 'integer', format: 'int64' },
            small: { type: 'integer', format: 'int32', default: 42 },
            done: { default: false },
            price: { type: 'number', format: 'numeric', default: 1.5 },
            label: { default: 'none' },
            at: { default: 'now()' },
          },
        },
      },
      paths: {
        '/described': { get: { summary: 'One line.', description: 'More of it.' } },
        '/rpc/sum_of': {
          get: {
            summary: 'Adds up.',
            parameters: [
              {
                name: 'terms',
                type: 'array',
                items: { type: 'integer', format: 'int32' },
                collectionFormat: 'multi',
              },
            ],
          },
        },
      },
    });
    const { definitions, paths } = body as { definitions: object; paths: object };
    expect(definitions).not.toHaveProperty('described.properties.list.default');
    expect(paths).not.toHaveProperty('/rpc/sum_of.get.description');
    expect(JSON.stringify(body)).not.toContain('"required":[]');
    const image = await get('/', { accept: 'image/png' });
    expect([image.status, image.body]).toMatchObject([406, { code: 'PGRST107' }]);
  });
});
