import type { Ref } from 'react';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { MOST_SCROLLED, type Option } from '#web/lib/vocabulary/options.ts';
import { Picker } from './picker.tsx';
import { Select } from './select.tsx';

/** More results are not rendered; typing narrows them. */
const SHOWN = 100;

/** @returns finds the options in which each word of the text occurs */
const searchIn = (options: readonly Option[]) => (text: string) => {
  const words = searchWords(text);
  const data = options
    .filter(([, label]) => hasWords(label, words))
    .slice(0, SHOWN)
    .map(([id, label]) => ({ id, label }));
  return { data, error: null };
};

type OptionSelectProps = {
  /** From Field. */
  id: string;
  'aria-invalid'?: true | undefined;
  'aria-describedby'?: string | undefined;
  ref?: Ref<HTMLSelectElement & HTMLButtonElement>;
  options: readonly Option[];
  /** Even while the options are loading: another control in its place would lose the focus. */
  isSearched?: boolean | undefined;
  /** For no choice, for example "All sites"; without it there always is one. */
  empty?: string | undefined;
  /** For example "Search sites". */
  searchLabel: string;
  /** Empty for no choice. */
  value: string;
  onChange: (value: string) => void;
};

/** A select, or a searchable list where there are many options. */
export function OptionSelect(props: OptionSelectProps) {
  const { options, isSearched = false, empty, searchLabel, value, onChange, ...control } = props;
  if (isSearched || options.length > MOST_SCROLLED) {
    const [id, label] = options.find(([option]) => option === value) ?? [];
    return (
      <Picker
        {...control}
        aria-describedby={control['aria-describedby']}
        searchLabel={searchLabel}
        placeholder={empty ?? 'Choose'}
        value={id === undefined || label === undefined ? undefined : { id, label }}
        onChange={(choice) => onChange(choice?.id ?? '')}
        useChoices={searchIn(options)}
      />
    );
  }
  return (
    <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
      {empty !== undefined && <option value="">{empty}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Select>
  );
}
