import { z } from 'zod';
import { STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import { amountField } from './amount-field.ts';
import { dayField } from './day-field.ts';

/** For a person who is employed. */
export const payFields = {
  hire_date: dayField('Hire date is required'),
  salary_amount: amountField({
    name: 'Salary',
    required: 'Salary is required',
    negative: 'Salary cannot be negative',
  }),
  payment_frequency: z.enum(STAFF_PAYMENT_FREQUENCY),
};
