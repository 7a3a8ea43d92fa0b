// SQL that builds the response body from the result rows `_r`, where Node doesn't (`isWritten`) and passes the text through.
// JSON is not cast to text, which would copy a list of 200 rows twice.
import type { MediaHandler, Routine } from '../cache/model.ts';
import type { Format } from '../request/accept.ts';

/** CSV needs the rows twice, so they get a common table expression. */
export const ROWS = 'pgrst_rows';

const CSV_HEADER =
  `(select coalesce(string_agg(_k, ','), '') from ` +
  `(select json_object_keys(row_to_json(_h)) as _k from (select * from ${ROWS} limit 1) as _h) as _n)`;
const CSV_ROWS = `coalesce(string_agg(substring(_r::text, 2, length(_r::text) - 2), e'\\n'), '')`;

const FEATURES = `json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(st_asgeojson(_r)::json), '[]'))`;

function customSql({ aggregate, rowType }: MediaHandler, isScalar: boolean): string {
  const row = isScalar ? '_r.pgrst_scalar' : rowType === undefined ? '_r' : `_r::${rowType}`;
  const body = aggregate === undefined ? '(array_agg(_r.pgrst_scalar))[1]' : `${aggregate}(${row})`;
  return `coalesce(${body}::text, '')`;
}

export function bodySql(format: Format, routine?: Routine): string {
  const strip = (text: string): string => (format.isStripped ? `json_strip_nulls(${text})` : text);
  if (format.kind === 'csv') return `${CSV_HEADER} || e'\\n' || ${CSV_ROWS}`;
  if (format.kind === 'geojson') return FEATURES;
  const isScalar = routine !== undefined && routine.returns !== 'composite';
  if (format.handler !== undefined) return customSql(format.handler, isScalar);
  const isSingle = format.kind === 'object' || (routine !== undefined && !routine.returnsSet);
  const rows = `json_agg(_r${isScalar ? '.pgrst_scalar' : ''})`;
  if (isSingle && isScalar) return `coalesce(${strip(`${rows}->0`)}, 'null')`;
  if (isSingle) return `coalesce(${strip('(array_agg(row_to_json(_r)))[1]')}, 'null')`;
  return `coalesce(${strip(rows)}, '[]')`;
}
