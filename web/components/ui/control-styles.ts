// What every control that takes text looks like. 16 px text: iOS zooms into anything smaller.
export const controlStyles = [
  'w-full min-w-0 rounded-sm border border-line-strong bg-raised text-base text-ink',
  'placeholder:text-muted/80 transition-[border-color] duration-150 hover:border-ink/60',
  'aria-invalid:border-danger aria-invalid:hover:border-danger',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted',
].join(' ');
