package dev.waymark.agent.weave;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.F_NEW;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.IFNULL;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.NOP;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts the calls to one hook into one method.
 *
 * <p>Each call stands in a try block of its own, first in the exception table, so that nothing it
 * throws can reach the method's own handlers or the program. Frames name the parameters only: they
 * hold their declared types throughout, as long as nothing is stored into their slots.
 */
final class MethodWeaver {
  private static final String THROWABLE = "java/lang/Throwable";
  private static final String OBJECT = "java/lang/Object";

  private static final Map<Type, String> BOXES =
      Map.of(
          Type.BOOLEAN_TYPE, "java/lang/Boolean",
          Type.INT_TYPE, "java/lang/Integer",
          Type.LONG_TYPE, "java/lang/Long",
          Type.FLOAT_TYPE, "java/lang/Float",
          Type.DOUBLE_TYPE, "java/lang/Double");

  private final String owner;
  private final MethodNode method;
  private final HookPoint point;

  /** Types of the parameters, the receiver first unless the method is static. */
  private final List<Type> parameters = new ArrayList<>();

  private final List<TryCatchBlockNode> ownTryBlocks = new ArrayList<>();

  /** The first slot that the method's own code doesn't use. */
  private final int spare;

  private MethodWeaver(String owner, MethodNode method, HookPoint point) {
    this.owner = owner;
    this.method = method;
    this.point = point;
    if ((method.access & ACC_STATIC) == 0) {
      parameters.add(Type.getObjectType(owner));
    }
    parameters.addAll(List.of(Type.getArgumentTypes(method.desc)));
    spare = method.maxLocals;
    method.maxLocals += 2;
  }

  static void weave(String owner, MethodNode method, HookPoint point)
      throws UnexpectedClassException {
    MethodWeaver weaver = new MethodWeaver(owner, method, point);
    weaver.checkParametersAreOnlyRead();
    switch (point.moment()) {
      case ENTRY:
        weaver.callBeforeAll();
        break;
      case EXIT:
        weaver.callBeforeEachReturn();
        if (!method.name.equals("<init>")) {
          weaver.callOnThrow();
        }
        break;
      case RESULT:
        weaver.callBeforeEachReturn();
        break;
    }
    method.tryCatchBlocks.addAll(0, weaver.ownTryBlocks);
  }

  private void checkParametersAreOnlyRead() throws UnexpectedClassException {
    int slots = parameters.stream().mapToInt(Type::getSize).sum();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction.getOpcode() >= ISTORE
          && instruction.getOpcode() <= ASTORE
          && ((VarInsnNode) instruction).var < slots) {
        throw new UnexpectedClassException(
            "it stores into the parameters of " + method.name + method.desc);
      }
    }
  }

  private void callBeforeAll() {
    InsnList code = new InsnList();
    addCall(code, null, new InsnNode(ACONST_NULL));
    // Keeps our last frame apart from one that the method may begin with.
    code.add(new InsnNode(NOP));
    method.instructions.insert(code);
  }

  private void callBeforeEachReturn() {
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction.getOpcode() >= IRETURN && instruction.getOpcode() <= RETURN) {
        method.instructions.insertBefore(instruction, atReturn(instruction.getOpcode()));
      }
    }
  }

  /** The returned value waits in a slot of its own, for the call's handler empties the stack. */
  private InsnList atReturn(int returnOpcode) {
    InsnList code = new InsnList();
    Type result = Type.getReturnType(method.desc);
    if (returnOpcode == RETURN) {
      addCall(code, null, new InsnNode(ACONST_NULL));
    } else {
      code.add(new VarInsnNode(result.getOpcode(ISTORE), spare));
      addCall(code, result, new InsnNode(ACONST_NULL));
      code.add(new VarInsnNode(result.getOpcode(ILOAD), spare));
    }
    return code;
  }

  /** A handler of last resort around all that is there by now; what it catches it throws again. */
  private void callOnThrow() {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    Type throwable = Type.getObjectType(THROWABLE);
    InsnList code = new InsnList();
    code.add(end);
    code.add(frame(null, THROWABLE));
    code.add(new VarInsnNode(ASTORE, spare));
    addCall(code, throwable, new VarInsnNode(ALOAD, spare));
    code.add(new VarInsnNode(ALOAD, spare));
    code.add(new InsnNode(ATHROW));
    method.instructions.insert(start);
    method.instructions.add(code);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, THROWABLE));
  }

  /**
   * Adds a call that nothing gets out of:
   *
   * <pre>{@code if (hook != null) try { hook.accept(call, thrown); } catch (Throwable e) {}}</pre>
   *
   * @param kept type of what lies in the spare slot, null if nothing does
   * @param thrown loads the second argument
   */
  private void addCall(InsnList code, Type kept, AbstractInsnNode thrown) {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    LabelNode caught = new LabelNode();
    LabelNode done = new LabelNode();
    code.add(loadHook());
    code.add(new JumpInsnNode(IFNULL, done));
    code.add(start);
    if (point.moment() == HookPoint.Moment.RESULT) {
      addCallWithResult(code, kept, thrown);
    } else {
      code.add(loadHook());
      addArguments(code, thrown.getOpcode() == ACONST_NULL);
      code.add(thrown);
      code.add(accept());
    }
    code.add(new JumpInsnNode(GOTO, done));
    code.add(end);
    code.add(caught);
    code.add(frame(kept, THROWABLE));
    code.add(new InsnNode(POP));
    code.add(done);
    code.add(frame(kept));
    ownTryBlocks.add(new TryCatchBlockNode(start, end, caught, THROWABLE));
  }

  /**
   * @param returned whether the result, if there is one, lies in the spare slot
   */
  private void addArguments(InsnList code, boolean returned) {
    int result = Type.getReturnType(method.desc).getSort();
    boolean withResult =
        point.moment() == HookPoint.Moment.EXIT && (result == Type.OBJECT || result == Type.ARRAY);
    addArray(code, parameters, 0, parameters.size() + (withResult ? 1 : 0));
    if (withResult && returned) {
      code.add(new InsnNode(DUP));
      code.add(new LdcInsnNode(parameters.size()));
      code.add(new VarInsnNode(ALOAD, spare));
      code.add(new InsnNode(AASTORE));
    }
  }

  /** Hands over the result in an array, and takes it back from there. */
  private void addCallWithResult(InsnList code, Type result, AbstractInsnNode thrown) {
    addArray(code, List.of(result), spare, 1);
    code.add(new VarInsnNode(ASTORE, spare + 1));
    code.add(loadHook());
    code.add(new VarInsnNode(ALOAD, spare + 1));
    code.add(thrown);
    code.add(accept());
    code.add(new VarInsnNode(ALOAD, spare + 1));
    code.add(new InsnNode(ICONST_0));
    code.add(new InsnNode(AALOAD));
    code.add(new TypeInsnNode(CHECKCAST, result.getInternalName()));
    code.add(new VarInsnNode(ASTORE, spare));
  }

  private FieldInsnNode loadHook() {
    return new FieldInsnNode(
        GETSTATIC, owner, HookLookup.constantOf(point), HookLookup.HOOK_DESCRIPTOR);
  }

  private static MethodInsnNode accept() {
    return new MethodInsnNode(
        INVOKEINTERFACE,
        HookLookup.HOOK,
        "accept",
        "(Ljava/lang/Object;Ljava/lang/Object;)V",
        true);
  }

  /** An Object array that begins with the variables from a slot on; numbers are boxed. */
  private static void addArray(InsnList code, List<Type> types, int firstSlot, int length) {
    code.add(new LdcInsnNode(length));
    code.add(new TypeInsnNode(ANEWARRAY, OBJECT));
    int slot = firstSlot;
    for (int i = 0; i < types.size(); i++) {
      Type type = types.get(i);
      code.add(new InsnNode(DUP));
      code.add(new LdcInsnNode(i));
      code.add(new VarInsnNode(type.getOpcode(ILOAD), slot));
      addBoxing(code, type);
      code.add(new InsnNode(AASTORE));
      slot += type.getSize();
    }
  }

  private static void addBoxing(InsnList code, Type type) {
    String box = BOXES.get(type);
    if (box != null) {
      String descriptor = "(" + type.getDescriptor() + ")L" + box + ";";
      code.add(new MethodInsnNode(INVOKESTATIC, box, "valueOf", descriptor, false));
    }
  }

  private FrameNode frame(Type kept, Object... stack) {
    List<Object> locals = new ArrayList<>();
    int slot = 0;
    for (Type parameter : parameters) {
      locals.add(verificationType(parameter));
      slot += parameter.getSize();
    }
    if (kept != null) {
      for (; slot < spare; slot++) {
        locals.add(Opcodes.TOP);
      }
      locals.add(verificationType(kept));
    }
    return new FrameNode(F_NEW, locals.size(), locals.toArray(), stack.length, stack);
  }

  private static Object verificationType(Type type) {
    switch (type.getSort()) {
      case Type.OBJECT:
      case Type.ARRAY:
        return type.getInternalName();
      case Type.LONG:
        return Opcodes.LONG;
      case Type.DOUBLE:
        return Opcodes.DOUBLE;
      case Type.FLOAT:
        return Opcodes.FLOAT;
      default:
        return Opcodes.INTEGER;
    }
  }
}
