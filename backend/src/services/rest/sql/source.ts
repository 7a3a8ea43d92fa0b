import type { Parameter } from '../cache/model.ts';
import type { CallPlan, WriteColumn, WritePlan } from '../plan/model.ts';
import { ident, logicSql, qualified, type Values, whereSql } from './from.ts';

const BODY = 'pgrst_body';

/** The rows of the body as a table. PostgreSQL itself parses the JSON into the columns' types. */
function bodySql(
  { columns, rows, appliesDefaults }: Exclude<WritePlan, { kind: 'delete' }>,
  values: Values,
): string {
  const types = columns
    .map(({ name, type, fromJson }) => `${ident(name)} ${fromJson === undefined ? type : 'json'}`)
    .join(', ');
  const read = ({ name, fromJson }: WriteColumn): string =>
    fromJson === undefined ? `_r.${ident(name)}` : `${fromJson}(_r.${ident(name)})`;
  if (columns.length === 0) return `json_array_elements(${values.addBody(rows)}::json) as ${BODY}`;
  if (!appliesDefaults) {
    const given = `json_to_recordset(${values.addBody(rows)}::json)`;
    if (!columns.some(({ fromJson }) => fromJson)) return `${given} as ${BODY}(${types})`;
    const chosen = columns.map((column) => `${read(column)} as ${ident(column.name)}`).join(', ');
    return `(select ${chosen} from ${given} as _r(${types})) as ${BODY}`;
  }
  // A default is evaluated for each row, also one that gives the column, as in PostgREST: sequences advance alike.
  const isMerged = (column: WriteColumn): boolean =>
    column.default !== null && column.fromJson === undefined;
  const defaults = columns
    .filter(isMerged)
    .map((column) => `${values.add(column.name)}::text, ${column.default}`);
  const chosen = columns.map((column) => {
    const name = ident(column.name);
    const given = read(column);
    if (column.default === null || isMerged(column)) return `${given} as ${name}`;
    // A value of a domain that is read from JSON by a function of its own.
    const has = `jsonb_exists(_e, ${values.add(column.name)}::text)`;
    return `case when ${has} then ${given} else ${column.default} end as ${name}`;
  });
  const given = `jsonb_array_elements(${values.addBody(rows)}::jsonb)`;
  const elements =
    defaults.length === 0
      ? `${given} as _e`
      : `(select jsonb_build_object(${defaults.join(', ')}) || _given as _e from ${given} as _given) as _merged`;
  return `(select ${chosen.join(', ')} from ${elements}, jsonb_to_record(_e) as _r(${types})) as ${BODY}`;
}

/** Counts inserted rows in a setting: + 1 for each row, - 1 for each that turns out to be an update. */
function countInserted(step: '+ 1' | '- 1'): string {
  const now = `coalesce(nullif(current_setting('pgrst.inserted', true), ''), '0')::int`;
  return `set_config('pgrst.inserted', (${now} ${step})::text, true) is not null`;
}

function returningSql(plan: WritePlan): string {
  if (plan.returning.length === 0) return ' returning 1';
  const table = qualified(plan.table.schema, plan.table.name);
  const columns = plan.returning.map((name) =>
    name === '*' ? `${table}.*` : `${table}.${ident(name)}`,
  );
  return ` returning ${columns.join(', ')}`;
}

function conflictSql(plan: Extract<WritePlan, { kind: 'insert' }>): string {
  if (plan.conflict === undefined) return '';
  const { columns, resolution } = plan.conflict;
  const target = ` on conflict (${columns.map(ident).join(', ')})`;
  if (resolution === 'ignore-duplicates' || plan.columns.length === 0)
    return `${target} do nothing`;
  const set = plan.columns.map(({ name }) => `${ident(name)} = excluded.${ident(name)}`);
  return `${target} do update set ${set.join(', ')} where ${countInserted('- 1')}`;
}

function insertSql(plan: Extract<WritePlan, { kind: 'insert' }>, values: Values): string {
  const table = qualified(plan.table.schema, plan.table.name);
  const names = plan.columns.map(({ name }) => ident(name));
  const into = names.length === 0 ? table : `${table} (${names.join(', ')})`;
  const chosen = names.map((name) => `${BODY}.${name}`).join(', ');
  const body = bodySql(plan, values);
  const conditions = plan.mustMatch.map((logic) => logicSql(BODY, logic, values));
  if (plan.conflict?.resolution === 'merge-duplicates') conditions.push(countInserted('+ 1'));
  return `insert into ${into} select ${chosen} from ${body}${whereSql(conditions)}${conflictSql(plan)}`;
}

function updateSql(plan: Extract<WritePlan, { kind: 'update' }>, values: Values): string {
  const table = qualified(plan.table.schema, plan.table.name);
  const where = plan.where.map((logic) => logicSql(table, logic, values));
  const body = bodySql(plan, values);
  const set = plan.columns.map(({ name }) => `${ident(name)} = ${BODY}.${ident(name)}`);
  return `update ${table} set ${set.join(', ')} from (select * from ${body} limit 1) as ${BODY}${whereSql(where)}`;
}

/** An UPDATE without columns: selects no rows, but with the right column names. */
function nothingSql({ table, returning }: WritePlan): string {
  const from = qualified(table.schema, table.name);
  const columns = returning.map((name) => (name === '*' ? '*' : `${from}.${ident(name)}`));
  return `select ${columns.length === 0 ? '1' : columns.join(', ')} from ${from} where false`;
}

export function writeSql(plan: WritePlan, values: Values): string {
  if (plan.kind === 'update' && plan.columns.length === 0) return nothingSql(plan);
  if (plan.kind === 'insert') return insertSql(plan, values) + returningSql(plan);
  if (plan.kind === 'update') return updateSql(plan, values) + returningSql(plan);
  const table = qualified(plan.table.schema, plan.table.name);
  const where = plan.where.map((logic) => logicSql(table, logic, values));
  return `delete from ${table}${whereSql(where)}${returningSql(plan)}`;
}

const ARGS = 'pgrst_args';

const argument = ({ name, isVariadic }: Parameter, value: string): string =>
  `${isVariadic ? 'variadic ' : ''}${ident(name)} := ${value}`;

/** Types whose values a cast reads from the text in JSON as `json_to_record` does. */
const READ_FROM_TEXT: ReadonlySet<string> = new Set([
  ...['text', 'uuid', 'boolean', 'smallint', 'integer', 'bigint', 'numeric', 'date'],
  ...['timestamp with time zone', 'timestamp without time zone'],
]);

function argumentsSql(plan: CallPlan, values: Values): { list: string; from: string } {
  const given = plan.arguments;
  switch (given.kind) {
    case 'none':
      return { list: '', from: '' };
    case 'body':
      return { list: `${values.add(given.value)}::${given.type}`, from: '' };
    case 'json': {
      if (given.parameters.length === 0) return { list: '', from: '' };
      const types = given.parameters.map(({ name, type }) => `${ident(name)} ${type}`).join(', ');
      const body = `${values.add(given.text)}::json`;
      const isPlain = given.parameters.every(({ type }) => READ_FROM_TEXT.has(type));
      if (plan.routine.isInlined && isPlain && !given.isArray) {
        // An inlined query with a row's columns as arguments would look up for each row what depends on arguments only.
        const named = given.parameters.map((one) =>
          argument(one, `(${body} ->> ${values.add(one.name)}::text)::${one.type}`),
        );
        return { list: named.join(', '), from: '' };
      }
      const list = given.parameters.map((one) => argument(one, `${ARGS}.${ident(one.name)}`));
      return {
        list: list.join(', '),
        // Only the first object of an array is used.
        from: given.isArray
          ? `(select * from json_to_recordset(${body}) as _a(${types}) limit 1) as ${ARGS}`
          : `json_to_record(${body}) as ${ARGS}(${types})`,
      };
    }
    case 'direct': {
      const list = given.values.map(({ parameter, value }) =>
        argument(parameter, `${values.add(value)}::${parameter.type}`),
      );
      return { list: list.join(', '), from: '' };
    }
  }
}

/**
 * SQL for the call of a function, from whose rows the result is read.
 * @param needed columns of the result; `['*']` for all
 */
export function callSql(plan: CallPlan, needed: string[], values: Values): string {
  const { list, from } = argumentsSql(plan, values);
  const call = `${qualified(plan.routine.schema, plan.routine.name)}(${list})`;
  if (plan.routine.returns !== 'composite') {
    return `select ${call} as pgrst_scalar${from === '' ? '' : ` from ${from}`}`;
  }
  const columns = needed.map((name) =>
    name === '*' ? 'pgrst_call.*' : `pgrst_call.${ident(name)}`,
  );
  return `select ${columns.join(', ')} from ${from === '' ? '' : `${from}, lateral `}${call} as pgrst_call`;
}
