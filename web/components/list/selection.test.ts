import { describe, expect, it } from 'vitest';
import { Selection } from './selection.ts';

const pageOf = (...ids: string[]) => ids.map((id) => ({ id, row: { id } }));

function selectionOf(...ids: string[]) {
  const selection = new Selection<{ id: string }>();
  selection.showPage(pageOf(...ids));
  return selection;
}

const chosen = (selection: Selection<{ id: string }>) => [...selection.state.chosen.keys()];

describe('a selection', () => {
  it('extends from the last row that was toggled, in both directions', () => {
    const selection = selectionOf('a', 'b', 'c', 'd');
    selection.toggle('c');
    selection.toggle('a', true);
    expect(chosen(selection).sort()).toEqual(['a', 'b', 'c']);
    selection.toggle('d', true);
    expect(chosen(selection).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes a range back if the last row was unselected', () => {
    const selection = selectionOf('a', 'b', 'c', 'd');
    selection.setPage(true);
    selection.toggle('b');
    selection.toggle('d', true);
    expect(chosen(selection)).toEqual(['a']);
  });

  it('toggles one row if the last one is on another page', () => {
    const selection = selectionOf('a', 'b');
    selection.toggle('a');
    selection.showPage(pageOf('c', 'd', 'e'));
    selection.toggle('d', true);
    expect(chosen(selection)).toEqual(['a', 'd']);
  });

  it('keeps rows of other pages, and the newest version of a row', () => {
    const selection = selectionOf('a', 'b');
    selection.setPage(true);
    selection.showPage(pageOf('c'));
    const changed = { id: 'a', status: 'paid' };
    selection.showPage([{ id: 'a', row: changed }]);
    expect(chosen(selection)).toEqual(['a', 'b']);
    expect(selection.state.chosen.get('a')).toBe(changed);
  });

  it('ends with the mode in which taps select', () => {
    const selection = selectionOf('a', 'b');
    selection.start('b');
    expect(selection.state.isSelecting).toBe(true);
    selection.remove(['b']);
    expect(chosen(selection)).toEqual([]);
    selection.clear();
    expect(selection.state.isSelecting).toBe(false);
  });
});
