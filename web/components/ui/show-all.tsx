import { Button } from './button.tsx';

type ShowAllProps = {
  isExpanded: boolean;
  /** The id of the list. */
  controls: string;
  /** For example "8 shifts". */
  all: string;
  onToggle: () => void;
};

/** Below a list of a card that shows its first rows. */
export function ShowAll({ isExpanded, controls, all, onToggle }: ShowAllProps) {
  return (
    <div className="border-t border-line px-2 sm:py-1">
      <Button
        variant="ghost"
        aria-expanded={isExpanded}
        aria-controls={controls}
        className="w-full"
        onClick={onToggle}
      >
        {isExpanded ? 'Show fewer' : `Show all ${all}`}
      </Button>
    </div>
  );
}
