// How the rows of the result `_r` become the body: PostgreSQL builds it, Node passes the text on.
import type { MediaHandler, Routine } from '../cache/model.ts';
import type { Answer } from '../request/accept.ts';

/** The rows under a name of their own, since CSV needs them twice. */
export const ROWS = 'pgrst_rows';

const CSV_HEADER =
  `(select coalesce(string_agg(_k, ','), '') from ` +
  `(select json_object_keys(row_to_json(_h)) as _k from (select * from ${ROWS} limit 1) as _h) as _n)`;
const CSV_ROWS = `coalesce(string_agg(substring(_r::text, 2, length(_r::text) - 2), e'\\n'), '')`;

const FEATURES = `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(st_asgeojson(_r)::json), '[]'))::text`;

function customSql({ aggregate, rowType }: MediaHandler, isScalar: boolean): string {
  const row = isScalar ? '_r.pgrst_scalar' : rowType === undefined ? '_r' : `_r::${rowType}`;
  const body = aggregate === undefined ? '(array_agg(_r.pgrst_scalar))[1]' : `${aggregate}(${row})`;
  return `coalesce(${body}::text, '')`;
}

export function bodySql(answer: Answer, routine?: Routine): string {
  const strip = (text: string): string => (answer.isStripped ? `json_strip_nulls(${text})` : text);
  if (answer.kind === 'csv') return `${CSV_HEADER} || e'\\n' || ${CSV_ROWS}`;
  if (answer.kind === 'geojson') return FEATURES;
  const isScalar = routine !== undefined && routine.returns !== 'composite';
  if (answer.handler !== undefined) return customSql(answer.handler, isScalar);
  const isSingle = answer.kind === 'object' || (routine !== undefined && !routine.returnsSet);
  const rows = `json_agg(_r${isScalar ? '.pgrst_scalar' : ''})`;
  if (isSingle && isScalar) return `coalesce(${strip(`${rows}->0`)}, 'null')::text`;
  if (isSingle) return `coalesce(${strip('(array_agg(row_to_json(_r)))[1]')}, 'null')::text`;
  return `coalesce(${strip(rows)}, '[]')::text`;
}
