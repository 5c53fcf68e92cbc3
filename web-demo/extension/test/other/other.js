// Another extension with an agent. The test evaluates in it.
