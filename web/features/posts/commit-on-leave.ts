import type { FocusEvent, KeyboardEvent } from 'react';

/** Takes over a typed value when the field is left or Enter is pressed: half a number would already change the cycle. */
export const commitOnLeave = (commit: (value: string) => void) => ({
  onBlur: ({ target }: FocusEvent<HTMLInputElement>) => commit(target.value),
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    commit(event.currentTarget.value);
  },
});
