// Another extension that has an agent. The test evaluates in it.
