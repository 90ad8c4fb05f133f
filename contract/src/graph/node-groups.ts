// In charge of the groups of node types in the editor's palette, in order. They have their own file, so that web pages can use
// them without loading the schemas.

export const nodeGroups = ['input', 'text', 'data', 'generate', 'image', 'control', 'gate', 'other'] as const
export type NodeGroup = (typeof nodeGroups)[number]
