// The sidebar on a phone: slides over the page, 18rem wide.
import { Dialog as Primitive } from 'radix-ui';
import { SidebarNav } from './sidebar-nav.tsx';

type SidebarDrawerProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function SidebarDrawer({ open, onOpenChange }: SidebarDrawerProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-overlay fixed inset-0 z-40 bg-navy-950/60" />
        <Primitive.Content
          aria-describedby={undefined}
          className="drawer-panel fixed inset-y-0 left-0 z-50 w-[18rem] max-w-[85vw]"
        >
          <Primitive.Title className="sr-only">Menu</Primitive.Title>
          <SidebarNav onNavigate={() => onOpenChange(false)} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
