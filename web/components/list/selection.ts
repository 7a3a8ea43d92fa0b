// Which rows of a list are selected. A store outside React: toggling a row renders that row's checkbox and the bar, not
// the table.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

type State<Row> = {
  /** By id, as last seen. */
  chosen: ReadonlyMap<string, Row>;
  /** The rows of the page, in order. */
  page: readonly { id: string; row: Row }[];
  /** On phones: whether a tap on a card selects it. */
  isSelecting: boolean;
};

export class Selection<Row> {
  state: State<Row> = { chosen: new Map(), page: [], isSelecting: false };
  readonly #listeners = new Set<() => void>();
  /** Where a range begins. */
  #anchor: string | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(change: Partial<State<Row>>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Called for each page: selected rows are those of the page as it now is, and of other pages as last seen. */
  showPage(page: State<Row>['page']): void {
    const { chosen } = this.state;
    const isFresh = page.some(({ id, row }) => chosen.has(id) && chosen.get(id) !== row);
    const seen = page.flatMap(({ id, row }) => (chosen.has(id) ? [[id, row] as const] : []));
    this.#set(isFresh ? { page, chosen: new Map([...chosen, ...seen]) } : { page });
  }

  /** @param isRange also sets the rows between this one and the last one toggled */
  toggle(id: string, isRange = false): void {
    const { page, chosen } = this.state;
    const to = page.findIndex((each) => each.id === id);
    const from = isRange ? page.findIndex((each) => each.id === this.#anchor) : to;
    const range = page.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
    const isChosen = isRange ? chosen.has(this.#anchor ?? id) : !chosen.has(id);
    if (!isRange) this.#anchor = id;
    this.#choose(range, isChosen);
  }

  setPage(isChosen: boolean): void {
    this.#choose(this.state.page, isChosen);
  }

  #choose(rows: State<Row>['page'], isChosen: boolean): void {
    const chosen = new Map(this.state.chosen);
    for (const { id, row } of rows) {
      if (isChosen) chosen.set(id, row);
      else chosen.delete(id);
    }
    this.#set({ chosen });
  }

  /** Replaces the selection, by rows of all pages. */
  replace(chosen: ReadonlyMap<string, Row>): void {
    this.#set({ chosen });
  }

  remove(ids: readonly string[]): void {
    this.replace(new Map([...this.state.chosen].filter(([id]) => !ids.includes(id))));
  }

  /** On phones: taps select from now on. */
  start(id?: string): void {
    this.#set({ isSelecting: true });
    if (id !== undefined && !this.state.chosen.has(id)) this.toggle(id);
  }

  clear(): void {
    this.#anchor = undefined;
    if (this.state.chosen.size > 0 || this.state.isSelecting) {
      this.#set({ chosen: new Map(), isSelecting: false });
    }
  }
}

/** @param filters a change drops the selection; paging and sorting do not */
export function useSelection<Row>(filters: object | undefined): Selection<Row> {
  const [selection] = useState(() => new Selection<Row>());
  const key = JSON.stringify(filters);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current !== key) selection.clear();
    shown.current = key;
  }, [key, selection]);
  return selection;
}

/** Renders again when the result changes. @param read must return the same value for the same state */
export function useSelectionState<Row, Result>(
  selection: Selection<Row>,
  read: (state: State<Row>) => Result,
): Result {
  return useSyncExternalStore(selection.subscribe, () => read(selection.state));
}
