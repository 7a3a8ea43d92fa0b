// The deductions that the rates of the day suggest, each with its calculation.
import { useMutation } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';
import { calculationSchema } from '../schema.ts';

type Pay = {
  /** Gross, in USD. */
  gross: number;
  frequency: string;
  /** yyyy-MM-dd; the rates that hold on this day. */
  day: string;
};

async function suggestDeductions({ gross, frequency, day }: Pay) {
  const { data } = await supabase()
    .rpc('suggest_deductions', { p_gross: gross, p_frequency: frequency, p_on: day })
    .throwOnError();
  return calculationSchema.parse(data) ?? [];
}

export const useSuggestDeductions = () => useMutation({ mutationFn: suggestDeductions });
