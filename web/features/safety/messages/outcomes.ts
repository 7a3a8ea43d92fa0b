// Why a message of a guard needs a planner.
export const MESSAGE_EXCEPTIONS = [
  'unknown_number',
  'restricted',
  'ambiguous',
  'wrong_pin',
  'unknown_words',
  'no_shift',
  'out_before_in',
  'refused',
] as const;

type Outcome = (typeof MESSAGE_EXCEPTIONS)[number];

export const MESSAGE_EXCEPTION_LABELS: Record<Outcome, string> = {
  unknown_number: 'Unknown number',
  restricted: 'Withheld number',
  ambiguous: 'Number of several guards',
  wrong_pin: 'Wrong PIN',
  unknown_words: 'Not understood',
  no_shift: 'No shift',
  out_before_in: 'OUT without IN',
  refused: 'Not accepted',
};

export const MESSAGE_ADVICE: Record<Outcome, string> = {
  unknown_number: 'If it is a guard’s, add the number to their record.',
  restricted: 'Ask guards to send their number.',
  ambiguous: 'Give each guard a number of their own, or a PIN.',
  wrong_pin: 'Call the guard. Someone else may have used the phone.',
  unknown_words: 'Call the guard, and clock them in by hand if they are at the post.',
  no_shift: 'Call the guard. Assign the shift, or send them to their post.',
  out_before_in: 'Add the clock-in by hand, with the clock-out of this message.',
  refused: 'Call the guard, and correct the record by hand.',
};
