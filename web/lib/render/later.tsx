// Puts off what lies below the first screenful, or costs much to draw: it comes in a second pass, which a press interrupts.
import { type ReactNode, useDeferredValue } from 'react';

/** @param placeholder what keeps its place until then */
export function Later({ children, placeholder }: { children: ReactNode; placeholder?: ReactNode }) {
  return useDeferredValue(true, false) ? children : placeholder;
}
