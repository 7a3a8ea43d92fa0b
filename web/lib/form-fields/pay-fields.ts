import { z } from 'zod';
import { PAY_FREQUENCIES } from '#web/lib/vocabulary/kinds.ts';
import { amountField } from './amount-field.ts';
import { dayField } from './day-field.ts';

/** Of a person who is employed. */
export const payFields = {
  hire_date: dayField('Hire date is required'),
  salary_amount: amountField({
    name: 'Salary',
    required: 'Salary is required',
    negative: 'Salary cannot be negative',
  }),
  payment_frequency: z.enum(PAY_FREQUENCIES),
};
