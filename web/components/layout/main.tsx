// The main part of a page. What stands in for a screen inside it is a room of it, and no second one.
import { type ComponentProps, createContext, use } from 'react';

const InMain = createContext(false);

export function Main(props: ComponentProps<'main'>) {
  return (
    <InMain value={true}>
      <main {...props} />
    </InMain>
  );
}

/** Whether this is drawn inside the main part of a page, between its header and its edges, and not as the whole page. */
export const useIsInMain = () => use(InMain);
