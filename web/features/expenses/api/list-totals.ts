// What was spent in the last twelve months, by month and category.
import { useQuery } from '@tanstack/react-query';
import { addMonths, format, parseISO, startOfMonth } from 'date-fns';
import { today } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { expensesKey } from '../../../lib/data/keys.ts';

const MONTHS = 12;

async function listTotals() {
  const p_to = today();
  const p_from = format(addMonths(startOfMonth(parseISO(p_to)), 1 - MONTHS), 'yyyy-MM-dd');
  const { data } = await supabase().rpc('expense_totals', { p_from, p_to }).throwOnError();
  return data;
}

export const useExpenseTotals = () =>
  useQuery({ queryKey: [...expensesKey, 'totals'], queryFn: listTotals });
