// In charge of the display name of each role, and of the description of what a role allows.
import type { Role } from '@atelier/contract/enums.ts'

export const roleOptions: { value: Role; label: string; means: string }[] = [
  { value: 'reader', label: 'Reader', means: 'sees everything' },
  { value: 'writer', label: 'Writer', means: 'also works on tasks, creatives and runs' },
  { value: 'admin', label: 'Admin', means: 'also manages people and tokens' },
]
