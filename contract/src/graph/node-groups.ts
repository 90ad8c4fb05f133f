// In charge of the palette's groups of node types, in order; a separate file, so that pages can use them without the
// schemas.

export const nodeGroups = ['input', 'text', 'data', 'generate', 'image', 'control', 'gate', 'other'] as const
export type NodeGroup = (typeof nodeGroups)[number]
