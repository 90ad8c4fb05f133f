// In charge of the refusals for requests about people, products and templates, in the order of docs/errors.md.

export const workspaceRefusals = {
  last_admin: {
    status: 409,
    title: 'Last admin',
    when: 'The change would leave the workspace without an active admin.',
    action: 'Make somebody else an admin first.',
  },
  product_exists: {
    status: 409,
    title: 'Product exists',
    when: 'Another product has this name or code.',
    action: 'Use the product there is, or choose another name or code.',
  },
  template_exists: {
    status: 409,
    title: 'Template exists',
    when: 'Another task template has this name.',
    action: 'Choose another name, or change the template there is.',
  },
} as const
