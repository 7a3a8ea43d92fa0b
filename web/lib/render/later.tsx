import { type ReactNode, useDeferredValue } from 'react';

/**
 * Renders its children in a second, interruptible pass: for content below the fold or expensive to render.
 * @param placeholder reserves the space until then
 */
export function Later({ children, placeholder }: { children: ReactNode; placeholder?: ReactNode }) {
  return useDeferredValue(true, false) ? children : placeholder;
}
