import type { RefObject } from 'react';

type FileInputProps = {
  /** A button clicks it. */
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  accept: string;
  onChoose: (file: File) => void;
};

export function FileInput({ ref, label, accept, onChoose }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={label}
      accept={accept}
      onChange={({ target }) => {
        const file = target.files?.[0];
        if (file) onChoose(file);
        // Choosing the same file again is a change too.
        target.value = '';
      }}
    />
  );
}
