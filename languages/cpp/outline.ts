import type { Outline } from '../outline.ts'

/** C and C++: headers say nothing of which of the two they are in. */
export const cppOutline: Outline = {
  id: 'cpp',
  endings: [
    '.c',
    '.cc',
    '.cpp',
    '.cxx',
    '.c++',
    '.h',
    '.hh',
    '.hpp',
    '.hxx',
    '.inl',
    '.ipp',
    '.tpp',
    '.cu',
    '.cuh',
  ],
  definitions: {
    keywords: ['class', 'struct', 'enum', 'union', 'namespace', 'concept', 'using', 'define'],
    callAtLineStart: true,
  },
  tree: {
    grammar: 'cpp',
    scopes: [
      'namespace_definition',
      'class_specifier',
      'struct_specifier',
      'union_specifier',
      'enum_specifier',
      'function_definition',
    ],
    leading: ['comment', 'attribute_declaration'],
  },
}
