import type { CallPlan } from '../plan/model.ts';
import { ident, qualified, type Values } from './statement.ts';

const ARGS = 'pgrst_args';

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
      const list = given.parameters.map(
        ({ name, isVariadic }) =>
          `${isVariadic ? 'variadic ' : ''}${ident(name)} := ${ARGS}.${ident(name)}`,
      );
      return {
        list: list.join(', '),
        // Only the first object of an array is used.
        from: given.isArray
          ? `(select * from json_to_recordset(${body}) as _a(${types}) limit 1) as ${ARGS}`
          : `json_to_record(${body}) as ${ARGS}(${types})`,
      };
    }
    case 'direct': {
      const list = given.values.map(
        ({ parameter: { name, type, isVariadic }, value }) =>
          `${isVariadic ? 'variadic ' : ''}${ident(name)} := ${values.add(value)}::${type}`,
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
