import type { ReactNode } from 'react';
import type { identityFields } from './schema.ts';

type Options = { type?: string; hint?: string; optional?: boolean; wide?: boolean };

/** The text fields of a form that contains a person's. */
type TextFields = {
  text: (name: keyof typeof identityFields, label: string, options: Options) => ReactNode;
};

/** Who a person is and how to reach them: for hiring and for editing. */
export function PersonFields({ field }: { field: TextFields }) {
  return (
    <>
      {field.text('full_name', 'Full Name', { wide: true })}
      {field.text('phone', 'Phone', {
        type: 'tel',
        hint: 'They sign in with this number, for example 0770 123 456.',
      })}
      {field.text('email', 'Email', {
        type: 'email',
        optional: true,
        hint: 'Not needed with a phone.',
      })}
      {field.text('home_area', 'Home Area', { optional: true, wide: true })}
    </>
  );
}
