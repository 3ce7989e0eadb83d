package dev.waymark.agent.run;

import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Changes classes, so that frameworks and agents are what they never were. */
final class ClassFiles {
  private ClassFiles() {}

  /** A change of a jar in which a method has another name, for those of its package too. */
  static BiFunction<String, byte[], byte[]> renaming(String owner, String method, String name) {
    String folder = owner.substring(0, owner.lastIndexOf('/') + 1);
    return (file, content) ->
        file.startsWith(folder) && file.endsWith(".class")
            ? edited(content, node -> rename(node, file, owner, method, name))
            : content;
  }

  private static void rename(
      MethodNode node, String file, String owner, String method, String name) {
    if (node.name.equals(method) && file.equals(owner + ".class")) {
      node.name = name;
    }
    for (AbstractInsnNode instruction : node.instructions) {
      if (instruction instanceof MethodInsnNode call
          && call.name.equals(method)
          && call.owner.equals(owner)) {
        call.name = name;
      }
    }
  }

  /** A change of a jar after which a method stores into its second parameter, an int. */
  static BiFunction<String, byte[], byte[]> storingIntoAParameter(String owner, String method) {
    return (file, content) ->
        file.equals(owner + ".class")
            ? edited(content, node -> storeIntoAParameter(node, method))
            : content;
  }

  private static void storeIntoAParameter(MethodNode node, String method) {
    if (node.name.equals(method)) {
      InsnList store = new InsnList();
      store.add(new VarInsnNode(Opcodes.ILOAD, 1));
      store.add(new VarInsnNode(Opcodes.ISTORE, 1));
      node.instructions.insert(store);
    }
  }

  static byte[] edited(byte[] classFile, Consumer<MethodNode> edit) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    node.methods.forEach(edit);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    node.accept(writer);
    return writer.toByteArray();
  }
}
