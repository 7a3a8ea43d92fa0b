// The themes in words and pictures.
import { Monitor, Moon, Sun } from 'lucide-react';

export const CHOICES = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
} as const;
